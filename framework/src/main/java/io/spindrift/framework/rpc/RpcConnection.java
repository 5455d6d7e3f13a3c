package io.spindrift.framework.rpc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// One client of an [RpcServer]: reads a request, runs it, writes the reply, and only then looks at the next one.
///
/// So replies come in the order of the requests, a configuration sent in one go is applied in its order, and a client
/// that sends more than it reads is held back by the kernel's buffers. Runs on its own virtual thread.
///
/// The exception is a call that waits for an event ([RpcWait]): later requests go on, and its reply is written by its own
/// thread when it is due. The last such reply comes before the connection closes; if too many are due, the next request
/// has to wait.
///
/// A client that has finished sending may still read, or have closed: what it sends ends the same way. While replies are
/// due to it, it is sent white space once in a while, which parsers skip and which the kernel refuses if it has closed (TCP:
/// by the second one). Then the calls that wait are interrupted.
final class RpcConnection implements Runnable {
    /// What is given to the kernel at once: java.nio copies it to a buffer of this size, which it keeps.
    private static final int WRITE_BYTES = 64 * 1024;
    private static final byte[] WHITE_SPACE = {'\n'};
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SocketChannel channel;
    private final RequestProcessor processor;
    private final RpcLog log;
    private final Consumer<RpcConnection> whenEnded;
    private final RequestFramer framer = new RequestFramer(RequestFramer.MAX_REQUEST_BYTES);

    private final ReentrantLock writing = new ReentrantLock();
    private final WaitingCalls waiting;
    private int unanswered; // requests; guarded by this
    private boolean closing; // guarded by this

    RpcConnection(SocketChannel channel, RequestProcessor processor, RpcLog log, Executor threads,
            Consumer<RpcConnection> whenEnded) {
        this.channel = channel;
        this.waiting = new WaitingCalls(threads, LOOK_NANOS, this::lookForClient);
        this.processor = processor;
        this.log = log;
        this.whenEnded = whenEnded;
    }

    @Override
    public void run() {
        try (channel) {
            serve();
            awaitAnswers();
        } catch (IOException gone) {
            // The client closed, or close() did. There is nobody left to tell, and nothing to undo.
            return;
        } catch (RuntimeException | Error e) {
            unanswerable(e);
        } finally {
            waiting.cancel();
            whenEnded.accept(this);
        }
    }

    private void serve() throws IOException {
        try {
            while (true) {
                for (Optional<byte[]> request = framer.next(); request.isPresent(); request = framer.next()) {
                    if (!begin()) {
                        return;
                    }
                    answer(request.get());
                }
                int count = channel.read(framer.space());
                if (count < 0) {
                    return;
                }
                framer.received(count);
            }
        } catch (RpcException e) {
            write(Json.compact(RequestProcessor.error(null, e)));
            awaitAnswers();
            discardRest();
        }
    }

    private void answer(byte[] request) throws IOException {
        log.request(new String(request, StandardCharsets.UTF_8));
        boolean later = false;
        try {
            CompletableFuture<Optional<String>> reply = processor.process(request, waiting);
            if (reply.isDone()) {
                write(reply.join());
            } else {
                later = true;
                reply.whenComplete(this::answerLater);
            }
        } finally {
            if (!later) {
                end();
            }
        }
    }

    /// On the thread of the call that was waited for; `reply` is null if there is a `failure`.
    private void answerLater(Optional<String> reply, Throwable failure) {
        try {
            if (failure == null) {
                write(reply);
            } else {
                unanswerable(failure);
            }
        } catch (IOException gone) {
            return; // as in run()
        } catch (RuntimeException | Error e) {
            unanswerable(e);
        } finally {
            end();
        }
    }

    /// A client that waits for a reply which will not come is told by the end of the connection.
    private void unanswerable(Throwable failure) {
        closeNow();
        log.failed("a reply could not be given, and the RPC connection is closed", failure);
    }

    private void write(Optional<String> reply) throws IOException {
        if (reply.isPresent()) {
            write(reply.get());
        }
    }

    private void write(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
        int length = bytes.limit();
        writing.lock();
        try {
            log.reply(text);
            while (bytes.position() < length) {
                bytes.limit(Math.min(length, bytes.position() + WRITE_BYTES));
                channel.write(bytes);
            }
        } finally {
            writing.unlock();
        }
    }

    /// Waits until the client closes. To close with unread data would make the kernel throw the reply away (TCP) or
    /// fail the client's writing before it reads the reply (both).
    private void discardRest() throws IOException {
        channel.shutdownOutput();
        ByteBuffer bin = ByteBuffer.allocate(WRITE_BYTES);
        while (channel.read(bin) >= 0) {
            bin.clear();
        }
    }

    /// Closes if the client has. On the connection's own thread, while it waits for answers.
    private void lookForClient() {
        if (!writing.tryLock()) {
            return; // a reply is being written, which tells as much
        }
        try {
            channel.write(ByteBuffer.wrap(WHITE_SPACE));
        } catch (IOException gone) {
            closeNow();
        } finally {
            writing.unlock();
        }
    }

    /// Waits until there is room for another answer. False if no request is to be begun any more.
    private boolean begin() throws IOException {
        awaitFewer(WaitingCalls.MOST);
        synchronized (this) {
            if (!closing) {
                unanswered++;
            }
            return !closing;
        }
    }

    private synchronized void end() {
        unanswered--;
        notifyAll();
        if (closing && unanswered == 0) {
            closeNow();
        }
    }

    private void awaitAnswers() throws IOException {
        awaitFewer(1);
    }

    /// Waits until fewer than `limit` requests are unanswered, or the client is gone.
    private void awaitFewer(int limit) throws IOException {
        try {
            while (!awaitFewerForAWhile(limit)) {
                lookForClient();
                if (!channel.isOpen()) {
                    throw new ClosedChannelException();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the application is stopping");
        }
    }

    private synchronized boolean awaitFewerForAWhile(int limit) throws InterruptedException {
        long end = System.nanoTime() + LOOK_NANOS;
        for (long left = LOOK_NANOS; unanswered >= limit && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return unanswered < limit;
    }

    /// Closes at once if no call is running, else when it is answered. Any thread.
    synchronized void closeWhenIdle() {
        closing = true;
        if (unanswered == 0) {
            closeNow();
        }
    }

    /// Closes without waiting for the answer to a call that is running; one that waits for an event is interrupted. Any
    /// thread.
    void closeNow() {
        waiting.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            log.failed("an RPC connection did not close cleanly: " + e.getMessage(), e);
        }
    }
}
