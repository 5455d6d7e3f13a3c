/* A yardstick for bdevperf on the null bdev: the same steps in plain C, as small as they can be.
 * gcc -O2 -o null-model null-model.c && taskset -c 0 ./null-model [seconds] [queue depth]
 * Its rate moves with the machine as the real thing's does, so quote bdevperf as a multiple of it, measured in turn.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <time.h>
#include <x86intrin.h>

struct io; TAILQ_HEAD(queue, io);
typedef void (*done_fn)(struct io *io, int ok, void *arg);
struct bdev { int (*submit)(void *channel, struct io *io); uint64_t blocks; uint32_t block_size; };
struct io {
	struct bdev *bdev; struct channel *channel; uint64_t offset, count, submit_tsc; void *buf; done_fn done; void *arg;
	int type, status; TAILQ_ENTRY(io) link; STAILQ_ENTRY(io) free_link; char module_context[64];
};
struct channel { struct queue queue; STAILQ_HEAD(, io) free; uint64_t outstanding, ops, bytes, ticks, min, max; };
struct task { struct io *io; void *buf; };

static struct channel ch; static struct bdev dev; static unsigned seed = 1; static volatile int draining;

static int null_submit(void *c, struct io *io) { struct channel *q = c; TAILQ_INSERT_TAIL(&q->queue, io, link); return 0; }
static void submit(struct task *t, done_fn done)
{
	struct io *io = STAILQ_FIRST(&ch.free);
	STAILQ_REMOVE_HEAD(&ch.free, free_link);
	uint64_t offset = (rand_r(&seed) % (dev.blocks / 8)) * 8;
	if (offset + 8 > dev.blocks) abort();
	io->bdev = &dev; io->channel = &ch; io->offset = offset; io->count = 8; io->buf = t->buf; io->done = done; io->arg = t; io->type = 1;
	ch.outstanding++; io->submit_tsc = __rdtsc();
	dev.submit(&ch, io);
}
static void complete(struct io *io)
{
	uint64_t dt = __rdtsc() - io->submit_tsc;
	ch.outstanding--; ch.ops++; ch.bytes += io->count * dev.block_size; ch.ticks += dt;
	if (dt < ch.min) ch.min = dt;
	if (dt > ch.max) ch.max = dt;
	io->done(io, 1, io->arg);
}
static void done(struct io *io, int ok, void *arg)
{
	STAILQ_INSERT_HEAD(&ch.free, io, free_link);
	if (ok && !draining) submit(arg, done);
}
static int poll(void)
{
	struct queue batch = TAILQ_HEAD_INITIALIZER(batch); struct io *io; int n = 0;
	TAILQ_CONCAT(&batch, &ch.queue, link);
	while ((io = TAILQ_FIRST(&batch))) { TAILQ_REMOVE(&batch, io, link); complete(io); n++; }
	return n;
}
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 3; int depth = argc > 2 ? atoi(argv[2]) : 16;
	TAILQ_INIT(&ch.queue); STAILQ_INIT(&ch.free); ch.min = UINT64_MAX;
	dev.submit = null_submit; dev.blocks = 2048000; dev.block_size = 512;
	for (int i = 0; i < 256; i++) { struct io *io = calloc(1, sizeof *io); STAILQ_INSERT_HEAD(&ch.free, io, free_link); }
	for (int i = 0; i < depth; i++) { struct task *t = calloc(1, sizeof *t); t->buf = malloc(4096); submit(t, done); }
	double start = now(), end = start + seconds;
	for (uint64_t i = 0; (i & 1023) || now() < end; i++) poll();
	printf("%.2f million I/O a second\n", ch.ops / (now() - start) / 1e6);
	return 0;
}
