/* A load for an NVMe/TCP target: random 4 KiB reads or in-capsule writes on many connections from one core, busily polled.
 *
 *     gcc -O2 -o nvme-tcp-load nvme-tcp-load.c && taskset -c 1 ./nvme-tcp-load -p PORT -n SUBNQN [OPTIONS]
 *       -a ADDRESS  of the target (127.0.0.1)          -w randread | randwrite
 *       -c COUNT    I/O connections (1)                -b COUNT    of them busy, the others are only opened (all)
 *       -q DEPTH    commands on each busy one (1)      -t SECONDS  measured (2)
 *       -W SECONDS  before that (1)                    -d          header and data digests
 *
 * Prints `name value` lines: iops, p50_us, p99_us, p999_us of the latencies, and slowest, the I/Os of the connection that had
 * fewest as a share of the mean. Of each connection's data digests one in 64 is checked.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ICREQ = 0, ICRESP = 1, CAPSULE = 4, RESPONSE = 5, C2H_DATA = 7 };
enum { BYTES = 4096, QUEUES = 100, ADMIN_ENTRIES = 32, RECEIVE = 1 << 18, CAPSULE_MAX = 76 + BYTES + 4, BUCKETS = 64 * 64 };

struct connection {
	int fd;
	uint8_t *in, *out;
	size_t in_length, out_length;
	uint64_t *began; /* of each command, by its CID */
	uint64_t ended, replies;
};

static const char *address = "127.0.0.1", *subnqn;
static int port, writes, digests, depth = 1, count = 1, busy = -1;
static double seconds = 2, warm_up = 1;
static uint64_t blocks, histogram[BUCKETS];
static unsigned block_size;
static uint32_t payload_digest, seed = 1;
static uint8_t payload[BYTES];
static int measuring, blocked;

static void fail(const char *what)
{
	fprintf(stderr, "nvme-tcp-load: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

__attribute__((target("sse4.2"))) static uint32_t crc32c(const uint8_t *p, size_t length)
{
	uint64_t crc = 0xffffffff, word;
	for (; length >= 8; p += 8, length -= 8) {
		memcpy(&word, p, 8);
		crc = __builtin_ia32_crc32di(crc, word);
	}
	for (; length > 0; p++, length--) {
		crc = __builtin_ia32_crc32qi((uint32_t)crc, *p);
	}
	return ~(uint32_t)crc;
}

static void put16(uint8_t *p, uint16_t v) { v = htole16(v); memcpy(p, &v, 2); }
static void put32(uint8_t *p, uint32_t v) { v = htole32(v); memcpy(p, &v, 4); }
static void put64(uint8_t *p, uint64_t v) { v = htole64(v); memcpy(p, &v, 8); }
static uint16_t get16(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return le16toh(v); }
static uint32_t get32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return le32toh(v); }
static uint64_t get64(const uint8_t *p) { uint64_t v; memcpy(&v, p, 8); return le64toh(v); }

/* ---- PDUs ---- */

/* A command capsule with its digests; `sqe` is complete but for its data pointer. Returns its length. */
static size_t capsule(uint8_t *out, const uint8_t *sqe, const uint8_t *data, uint32_t length, int in_capsule, uint32_t digest)
{
	int with_data = in_capsule && length > 0, pdo = 72 + (digests ? 4 : 0);
	memset(out, 0, 8);
	out[0] = CAPSULE;
	out[1] = digests ? (with_data ? 3 : 1) : 0;
	out[2] = 72;
	out[3] = with_data ? pdo : 0;
	size_t plen = pdo + (with_data ? length + (digests ? 4 : 0) : 0);
	put32(out + 4, plen);
	memcpy(out + 8, sqe, 64);
	out[9] = 0x40; /* SGLs */
	memset(out + 32, 0, 16);
	put32(out + 40, length);
	out[47] = in_capsule ? 0x01 : 0x5a; /* a data block at an offset of the capsule, or moved by the transport */
	if (digests) {
		put32(out + 72, crc32c(out, 72));
	}
	if (with_data) {
		memcpy(out + pdo, data, length);
		if (digests) {
			put32(out + pdo + length, digest);
		}
	}
	return plen;
}

static void send_all(int fd, const uint8_t *p, size_t length)
{
	while (length > 0) {
		ssize_t sent = send(fd, p, length, MSG_NOSIGNAL);
		if (sent <= 0) {
			fail("send");
		}
		p += sent;
		length -= sent;
	}
}

static void receive_all(int fd, uint8_t *p, size_t length)
{
	if (length > 0 && recv(fd, p, length, MSG_WAITALL) != (ssize_t)length) {
		fail("the target closed a connection");
	}
}

/* One command at a time, while a connection is set up; returns the completion's first 8 bytes. */
static uint64_t command(int fd, const uint8_t *sqe, const uint8_t *data, uint32_t sent, uint8_t *returned, uint32_t wanted)
{
	uint8_t out[CAPSULE_MAX], in[128 + BYTES + 4];
	send_all(fd, out, capsule(out, sqe, data, sent + wanted, sent > 0, sent > 0 && digests ? crc32c(data, sent) : 0));
	for (;;) {
		receive_all(fd, in, 8);
		uint32_t plen = get32(in + 4);
		if (plen < 24 || plen > sizeof in) {
			fail("a PDU of an odd length");
		}
		receive_all(fd, in + 8, plen - 8);
		if (in[0] == C2H_DATA) {
			memcpy(returned, in + in[3], wanted);
			if (in[1] & 8) {
				return 0;
			}
		} else if (in[0] != RESPONSE || get16(in + 22) >> 1) {
			errno = 0;
			fprintf(stderr, "opcode %02xh, PDU type %d, status %04xh\n", sqe[0], in[0], get16(in + 22) >> 1);
			fail("a command was refused");
		} else {
			return get64(in + 8);
		}
	}
}

/* ---- setting up ---- */

static int connect_queue(int qid, int entries, uint16_t *cntlid)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
	if (fd < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1 || connect(fd, (void *)&to, sizeof to) != 0) {
		fail("connect");
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	uint8_t request[128] = {ICREQ, 0, 128, 0, 128}, response[128];
	request[11] = digests ? 3 : 0;
	send_all(fd, request, sizeof request);
	receive_all(fd, response, sizeof response);
	if (response[0] != ICRESP || response[11] != request[11]) {
		fail("no ICResp as asked for");
	}
	uint8_t sqe[64] = {0x7f}, data[1024] = {0};
	sqe[4] = 1; /* Connect */
	put16(sqe + 42, qid);
	put16(sqe + 44, entries - 1);
	sqe[46] = 4; /* no flow control by SQHD */
	data[0] = 1;
	put16(data + 16, *cntlid);
	snprintf((char *)data + 256, 256, "%s", subnqn);
	snprintf((char *)data + 512, 256, "nqn.2014-08.org.nvmexpress:uuid:6f3f6f0c-5d5c-4d8e-8d6a-0123456789ab");
	*cntlid = (uint16_t)command(fd, sqe, data, sizeof data, NULL, 0);
	return fd;
}

static void enable(int fd)
{
	uint8_t set[64] = {0x7f};
	set[4] = 0;
	put32(set + 44, 0x14); /* CC */
	put64(set + 48, 0x460001);
	command(fd, set, NULL, 0, NULL, 0);
	for (int i = 0; i < 1000; i++) {
		uint8_t get[64] = {0x7f};
		get[4] = 4;
		put32(get + 44, 0x1c); /* CSTS */
		if (command(fd, get, NULL, 0, NULL, 0) & 1) {
			uint8_t queues[64] = {0x09};
			queues[40] = 7;
			put32(queues + 44, (QUEUES - 1) << 16 | (QUEUES - 1));
			command(fd, queues, NULL, 0, NULL, 0);
			return;
		}
		usleep(1000);
	}
	fail("the controller does not become ready");
}

static void identify(int fd)
{
	uint8_t sqe[64] = {0x06}, page[BYTES];
	put32(sqe + 4, 1);
	command(fd, sqe, NULL, 0, page, sizeof page);
	block_size = 1u << page[128 + 4 * (page[26] & 15) + 2];
	blocks = get64(page);
	if (block_size > BYTES || blocks < BYTES / block_size) {
		fail("namespace 1 does not suit");
	}
}

/* ---- the load ---- */

static void submit(struct connection *c, int cid)
{
	uint8_t sqe[64] = {writes ? 1 : 2};
	put16(sqe + 2, cid);
	put32(sqe + 4, 1);
	unsigned per_io = BYTES / block_size;
	put64(sqe + 40, (rand_r(&seed) % (blocks / per_io)) * per_io);
	put16(sqe + 48, per_io - 1);
	c->out_length += capsule(c->out + c->out_length, sqe, payload, BYTES, writes, payload_digest);
	c->began[cid] = now();
}

static void flush(struct connection *c)
{
	if (c->out_length == 0) {
		return;
	}
	ssize_t sent = send(c->fd, c->out, c->out_length, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (sent < 0 && errno != EAGAIN) {
		fail("send");
	}
	if (sent > 0) {
		c->out_length -= sent;
		memmove(c->out, c->out + sent, c->out_length);
	}
	blocked |= c->out_length > 0;
}

/* Of the nanoseconds, six bits count. */
static int bucket(uint64_t nanos)
{
	if (nanos < 64) {
		return nanos;
	}
	int shift = 58 - __builtin_clzll(nanos);
	return (shift + 1) * 32 + (nanos >> shift);
}

static double bucket_micros(int b)
{
	if (b < 64) {
		return b / 1e3;
	}
	int shift = b / 32 - 2;
	return (double)((uint64_t)(b - (shift + 1) * 32) << shift) / 1e3;
}

static void ended(struct connection *c, int cid, int status)
{
	if (status != 0 || cid >= depth) {
		errno = 0;
		fprintf(stderr, "CID %d, status %04xh\n", cid, status);
		fail("an I/O failed");
	}
	if (measuring) {
		histogram[bucket(now() - c->began[cid])]++;
		c->ended++;
	}
	submit(c, cid);
}

/* Takes what has arrived apart; returns how much of it is whole PDUs. */
static size_t parse(struct connection *c)
{
	size_t at = 0;
	while (c->in_length - at >= 8) {
		const uint8_t *pdu = c->in + at;
		uint32_t plen = get32(pdu + 4);
		if (plen < 24 || plen > RECEIVE) {
			fail("a PDU of an odd length");
		}
		if (c->in_length - at < plen) {
			break;
		}
		at += plen;
		if (pdu[0] == C2H_DATA) {
			if (digests && c->replies++ % 64 == 0
			    && crc32c(pdu + pdu[3], plen - pdu[3] - 4) != get32(pdu + plen - 4)) {
				fail("a wrong data digest");
			}
			if (pdu[1] & 8) {
				ended(c, get16(pdu + 8), 0);
			}
		} else if (pdu[0] == RESPONSE) {
			ended(c, get16(pdu + 20), get16(pdu + 22) >> 1);
		} else {
			fail("an unexpected PDU");
		}
	}
	return at;
}

/* One receive, and the send of what follows from it. */
static void poll_connection(struct connection *c)
{
	ssize_t got = recv(c->fd, c->in + c->in_length, RECEIVE - c->in_length, MSG_DONTWAIT);
	if (got == 0 || (got < 0 && errno != EAGAIN)) {
		fail("the target closed a connection");
	}
	if (got > 0) {
		c->in_length += got;
		size_t used = parse(c);
		memmove(c->in, c->in + used, c->in_length - used);
		c->in_length -= used;
	}
	flush(c);
}

static void run(struct connection *connections, double duration)
{
	uint64_t end = now() + (uint64_t)(duration * 1e9);
	if (busy <= 4) {
		while (now() < end) {
			for (int i = 0; i < busy; i++) {
				poll_connection(&connections[i]);
			}
		}
		return;
	}
	static int epoll = -1;
	if (epoll < 0) {
		epoll = epoll_create1(EPOLL_CLOEXEC);
		for (int i = 0; i < busy; i++) {
			struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
			epoll_ctl(epoll, EPOLL_CTL_ADD, connections[i].fd, &event);
		}
	}
	while (now() < end) {
		struct epoll_event events[64];
		int ready = epoll_wait(epoll, events, 64, 0);
		for (int i = 0; i < ready; i++) {
			poll_connection(&connections[events[i].data.u32]);
		}
		if (blocked) {
			blocked = 0;
			for (int i = 0; i < busy; i++) {
				flush(&connections[i]);
			}
		}
	}
}

static double percentile(uint64_t total, double share)
{
	uint64_t seen = 0;
	for (int b = 0; b < BUCKETS; b++) {
		seen += histogram[b];
		if (seen > total * share) {
			return bucket_micros(b);
		}
	}
	return 0;
}

static void options(int argc, char **argv)
{
	int option;
	while ((option = getopt(argc, argv, "a:p:n:w:c:b:q:t:W:d")) >= 0) {
		switch (option) {
		case 'a': address = optarg; break;
		case 'p': port = atoi(optarg); break;
		case 'n': subnqn = optarg; break;
		case 'w': writes = strcmp(optarg, "randwrite") == 0; break;
		case 'c': count = atoi(optarg); break;
		case 'b': busy = atoi(optarg); break;
		case 'q': depth = atoi(optarg); break;
		case 't': seconds = atof(optarg); break;
		case 'W': warm_up = atof(optarg); break;
		case 'd': digests = 1; break;
		default: exit(2);
		}
	}
	busy = busy < 0 || busy > count ? count : busy;
	if (port <= 0 || subnqn == NULL || depth < 1 || depth > 1024 || count < 1) {
		errno = 0;
		fail("-p PORT and -n SUBNQN are needed, DEPTH in 1..1024 and COUNT from 1 on");
	}
}

int main(int argc, char **argv)
{
	options(argc, argv);
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	memset(payload, 0x5a, sizeof payload);
	payload_digest = crc32c(payload, sizeof payload);
	struct connection *connections = calloc(count, sizeof *connections);
	uint16_t cntlid = 0xffff;
	for (int i = 0; i < count; i++) {
		if (i % QUEUES == 0) {
			cntlid = 0xffff;
			int admin = connect_queue(0, ADMIN_ENTRIES, &cntlid);
			enable(admin);
			identify(admin);
		}
		struct connection *c = &connections[i];
		uint16_t with = cntlid;
		c->fd = connect_queue(1 + i % QUEUES, depth < 128 ? depth + 1 : depth, &with);
		if (i < busy) {
			c->in = malloc(RECEIVE);
			c->out = malloc((size_t)depth * CAPSULE_MAX);
			c->began = calloc(depth, sizeof *c->began);
		}
	}
	printf("connected %d\n", count);
	fflush(stdout);
	for (int i = 0; i < busy; i++) {
		for (int cid = 0; cid < depth; cid++) {
			submit(&connections[i], cid);
		}
		flush(&connections[i]);
	}
	run(connections, warm_up);
	measuring = 1;
	uint64_t began = now();
	if (busy > 0) {
		run(connections, seconds);
	} else {
		usleep(seconds * 1e6);
	}
	double took = (now() - began) / 1e9;
	uint64_t total = 0, least = UINT64_MAX;
	for (int i = 0; i < busy; i++) {
		total += connections[i].ended;
		least = connections[i].ended < least ? connections[i].ended : least;
	}
	if (busy > 0) {
		printf("iops %.0f\np50_us %.1f\np99_us %.1f\np999_us %.1f\nslowest %.2f\n", total / took,
		       percentile(total, 0.5), percentile(total, 0.99), percentile(total, 0.999), (double)least * busy / total);
	}
	return 0;
}
