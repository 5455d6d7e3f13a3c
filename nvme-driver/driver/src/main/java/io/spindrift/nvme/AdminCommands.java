package io.spindrift.nvme;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.AbortCommand;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.command.FirmwareCommand;
import io.spindrift.nvme.spec.command.FormatCommand;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.NamespaceAttachment;
import io.spindrift.nvme.spec.identify.ControllerList;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// The admin commands of one controller, each a call that waits for its end. On the control path.
///
/// Each throws [NvmeException]: the command's status in words, ENOTCONN if the controller is not connected. What they return
/// is a copy on the heap.
public final class AdminCommands {
    /// Requests of the admin queue that are not for these commands: events, Keep Alive.
    private static final int RESERVED = 6;
    /// Longest log that is read, whatever a controller says of its length.
    private static final long MAX_LOG_BYTES = 64L << 20;

    /// Select of Namespace Management.
    private static final int DELETE = 1;

    private final QueuePair queue;
    private final NvmeDriver driver;
    private final boolean setUp;
    private final Semaphore turns;

    /// `setUp` for the commands that set a controller up, before others may send any.
    AdminCommands(QueuePair queue, NvmeDriver driver, boolean setUp) {
        this.queue = queue;
        this.driver = driver;
        this.setUp = setUp;
        this.turns = new Semaphore(Math.max(1, queue.requestCount() - RESERVED));
    }

    // ---- any command ------------------------------------------------------------------------------------------

    /// Runs a command without data, whatever its outcome.
    public CommandResult execute(Consumer<NvmeRequest> build) {
        turns.acquireUninterruptibly();
        try {
            return setUp ? queue.executeSetUp(build) : queue.execute(build);
        } finally {
            turns.release();
        }
    }

    /// Runs a command with `data` for the controller, or to be filled by it; `data` is a native or heap segment.
    public CommandResult execute(Consumer<NvmeRequest> build, MemorySegment data, boolean toController) {
        if (data.byteSize() == 0) {
            return execute(build);
        }
        MemoryRegion region = driver.context().memory().allocate("nvme admin data", data.byteSize());
        IoVector vector = new IoVector(1);
        vector.set(region, 0, data.byteSize());
        if (toController) {
            MemorySegment.copy(data, 0, region.segment(), 0, data.byteSize());
        }
        try {
            CommandResult result = execute(request -> {
                build.accept(request);
                if (toController) {
                    request.dataToController(vector);
                } else {
                    request.dataToHost(vector);
                }
            });
            if (!toController) {
                MemorySegment.copy(region.segment(), 0, data, 0, data.byteSize());
            }
            return result;
        } finally {
            driver.context().memory().free(region); // a command that has ended in any way touches its data no more
        }
    }

    /// `bytes` that the command of that name brings; fewer are an error.
    private MemorySegment read(String command, int bytes, Consumer<NvmeRequest> build) {
        MemorySegment page = MemorySegment.ofArray(new byte[bytes]);
        CommandResult result = execute(build, page, false).orThrow(queue.controller().name() + ": " + command);
        if (result.transferred() < bytes) {
            throw new NvmeException(Errno.EIO, queue.controller().name() + ": " + command
                    + " brought " + result.transferred() + " bytes of " + bytes);
        }
        return page.asReadOnly();
    }

    // ---- Identify ---------------------------------------------------------------------------------------------

    /// Identify, base specification 2.0, 5.17: 4,096 bytes.
    public MemorySegment identify(int cns, long nsid) {
        return identify(cns, nsid, 0, 0);
    }

    /// Identify of a controller or command set.
    public MemorySegment identify(int cns, long nsid, int cntid, int csi) {
        return read(String.format("Identify (CNS %02Xh, NSID %d)", cns, nsid), IdentifyCommand.DATA_SIZE, request -> {
            request.begin(AdminOpcode.IDENTIFY, nsid);
            IdentifyCommand.set(request.command(), request.commandAt(), cns, cntid, csi);
        });
    }

    // ---- log pages --------------------------------------------------------------------------------------------

    /// The first `bytes` of a log page, in as many commands as they take (base specification 2.0, 5.16).
    public MemorySegment logPage(int lid, long nsid, long bytes) {
        return logPage(lid, nsid, 0, 0, bytes);
    }

    /// `bytes`, a multiple of 4, of a log page from `offset` on.
    public MemorySegment logPage(int lid, long nsid, int lsp, long offset, long bytes) {
        Check.range("bytes of log page " + lid, bytes, 4, MAX_LOG_BYTES);
        long most = Math.min(queue.controller().maxTransferBytes(), 1 << 20) & -4;
        MemorySegment log = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        for (long done = 0; done < bytes;) {
            long at = offset + done;
            int part = (int) Math.min(most, bytes - done);
            MemorySegment page = read(String.format("Get Log Page (LID %02Xh, offset %d)", lid, at), part, request -> {
                request.begin(AdminOpcode.GET_LOG_PAGE, nsid);
                GetLogPageCommand.set(request.command(), request.commandAt(), lid, lsp, at, part, false);
            });
            MemorySegment.copy(page, 0, log, done, part);
            done += part;
        }
        return log.asReadOnly();
    }

    // ---- features ---------------------------------------------------------------------------------------------

    /// Get Features without data (base specification 2.0, 5.15): dword 0 is the value.
    public int feature(int fid, int sel, long nsid, int cdw11) {
        return execute(request -> {
            request.begin(AdminOpcode.GET_FEATURES, nsid);
            FeatureCommand.get(request.command(), request.commandAt(), fid, sel);
            SubmissionQueueEntry.cdw11(request.command(), request.commandAt(), cdw11);
        }).orThrow(queue.controller().name() + ": Get Features (FID " + hex(fid) + ")").dw0();
    }

    /// Set Features without data (base specification 2.0, 5.27); returns dword 0 of the completion.
    public int featureTo(int fid, boolean save, long nsid, int cdw11) {
        return execute(request -> {
            request.begin(AdminOpcode.SET_FEATURES, nsid);
            FeatureCommand.set(request.command(), request.commandAt(), fid, save, cdw11);
        }).orThrow(queue.controller().name() + ": Set Features (FID " + hex(fid) + ")").dw0();
    }

    private static String hex(int number) {
        return String.format("%02Xh", number);
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    /// Abort (base specification 2.0, 5.1): whether the command was aborted; its own completion tells more.
    public boolean abort(int sqid, int cid) {
        CommandResult result = execute(request -> {
            request.begin(AdminOpcode.ABORT, Nsid.NONE);
            AbortCommand.set(request.command(), request.commandAt(), sqid, cid);
        }).orThrow(queue.controller().name() + ": Abort");
        return (result.dw0() & AbortCommand.NOT_ABORTED) == 0;
    }

    // ---- namespaces and media ---------------------------------------------------------------------------------

    /// Namespace Management, create, of the Identify Namespace data that say how: the NSID that it gets.
    public long createNamespace(MemorySegment identifyNamespace) {
        return Integer.toUnsignedLong(execute(request -> request.begin(AdminOpcode.NAMESPACE_MANAGEMENT, Nsid.NONE),
                identifyNamespace, true).orThrow(queue.controller().name() + ": Namespace Management, create").dw0());
    }

    /// Namespace Management, delete.
    public void deleteNamespace(long nsid) {
        execute(request -> {
            request.begin(AdminOpcode.NAMESPACE_MANAGEMENT, nsid);
            SubmissionQueueEntry.cdw10(request.command(), request.commandAt(), DELETE);
        }).orThrow(queue.controller().name() + ": Namespace Management, delete");
    }

    /// Namespace Attachment: attaches a namespace to a controller, or detaches it.
    public void attachNamespace(long nsid, int cntlid, boolean attach) {
        MemorySegment list = MemorySegment.ofArray(new byte[4096]);
        LittleEndian.u16(list, 0, 1);
        ControllerList.cntlid(list, 0, 0, cntlid);
        execute(request -> {
            request.begin(AdminOpcode.NAMESPACE_ATTACHMENT, nsid);
            NamespaceAttachment.set(request.command(), request.commandAt(),
                    attach ? NamespaceAttachment.SEL_ATTACH : NamespaceAttachment.SEL_DETACH);
        }, list, true).orThrow(queue.controller().name() + ": Namespace Attachment of " + nsid);
    }

    /// Format NVM (base specification 2.0, 5.14); the parameters are those of [FormatCommand#set].
    public void format(long nsid, int format, boolean extendedMetadata, int protection, boolean protectionFirst,
            int secureErase) {
        execute(request -> {
            request.begin(AdminOpcode.FORMAT_NVM, nsid);
            FormatCommand.set(request.command(), request.commandAt(), format, extendedMetadata, protection,
                    protectionFirst, secureErase);
        }).orThrow(queue.controller().name() + ": Format NVM of " + nsid);
    }

    // ---- firmware ---------------------------------------------------------------------------------------------

    /// Downloads a firmware image, a multiple of 4 bytes, and commits it (base specification 2.0, 5.12 and 5.13); `action`
    /// is one of [FirmwareCommand]. Returns the status of Commit, which may ask for a reset.
    public int updateFirmware(MemorySegment image, int slot, int action) {
        long size = image.byteSize();
        if (size == 0 || size % 4 != 0) {
            throw new IllegalArgumentException("firmware image of " + size + " bytes: a multiple of 4 is needed");
        }
        long most = Math.min(queue.controller().maxTransferBytes(), 4096);
        for (long done = 0; done < size; done += most) {
            long at = done;
            long part = Math.min(most, size - done);
            execute(request -> {
                request.begin(AdminOpcode.FIRMWARE_IMAGE_DOWNLOAD, Nsid.NONE);
                FirmwareCommand.download(request.command(), request.commandAt(), at, part);
            }, image.asSlice(at, part), true)
                    .orThrow(queue.controller().name() + ": Firmware Image Download at " + at);
        }
        return execute(request -> {
            request.begin(AdminOpcode.FIRMWARE_COMMIT, Nsid.NONE);
            FirmwareCommand.commit(request.command(), request.commandAt(), slot, action);
        }).status();
    }
}
