package io.spindrift.nvme.spec.tcp;

import java.lang.foreign.MemorySegment;

/// What a [PduReader] finds in a stream. All methods run inside of [PduReader#read]; any may call [PduReader#violate].
///
/// ```
///   header -> data, data, ... -> end -> header -> ...        a violation ends it, wherever it is found
/// ```
public interface PduHandler {
    /// A PDU begins: its common header is right, and so is its digest. Its header is at `at` of `pdu` until this returns,
    /// `dataLength` bytes of data follow.
    ///
    /// Returns false if it cannot be taken now, for lack of memory: the reader stops and asks again, with the same header,
    /// when it is next called.
    boolean header(int type, MemorySegment pdu, long at, long dataLength);

    /// `length` bytes of the PDU's data, at least 1, are at `offset` of `buffer` until this returns; they are the data from
    /// `position` on.
    void data(MemorySegment buffer, long offset, long length, long position);

    /// The PDU is over. `intact` is false if its data do not have the digest that follows them: an error of the command,
    /// not of the connection.
    void end(int type, boolean intact);

    /// The peer has broken a rule: Fatal Error Status and Information as in [TermReq]. `length` bytes of the PDU's header
    /// are at `at` of `pdu`, for a terminate request, until this returns. Nothing is read any more.
    void violated(int fes, int fei, MemorySegment pdu, long at, int length);
}
