"""Locks of the operating system on files: they vanish with the process that holds them, however it ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":  # pragma: no cover - the tests run on POSIX
    import msvcrt

    # Windows keeps others from reading a locked byte: lock one far behind the text of the file.
    _LOCKED_BYTE = 1 << 30

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Lock an open file without waiting; whether it worked.

        A shared lock is only the open file here: Windows lets nobody remove or rename a folder with an open file in it.
        """
        if shared:
            return True
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import errno
    import fcntl

    # Some network file systems have no locks at all.
    _NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)

    def try_lock(descriptor: int, *, shared: bool = False) -> bool:
        """Lock an open file without waiting; whether it worked.

        On a file system without locks a shared lock is granted and an exclusive one is not: readers read, and nothing
        that a reader may hold is ever swept.
        """
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            return shared and error.errno in _NO_LOCKS
        return True
