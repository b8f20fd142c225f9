"""Runs a command with no network but loopback, where the system lets us.

    python scripts/loopback_only.py COMMAND [ARGUMENT …]

On Linux the command gets a network namespace of its own, in which only ``lo`` exists: what it and its children send to
any other address cannot leave, whatever language they are written in. That is stronger than the guard inside the tests
(``tests/network_guard``), which sees Python's own sockets only. Where such a namespace cannot be had (another system,
a container that forbids it) the command runs all the same, and a line says so.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
# linux/sockios.h and linux/if.h
SIOCGIFFLAGS = 0x8913
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1


def enter_own_network() -> None:
    """Moves this process into a network namespace of its own and sets its loopback up.

    Raises:
        OSError: the kernel or a sandbox forbids it.
    """
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    # With the right to do it at once (root) no other user mapping is needed; else a user namespace gives that right.
    if libc.unshare(CLONE_NEWNET) != 0:
        if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    set_loopback_up()


def set_loopback_up() -> None:
    """Does what ``ip link set lo up`` does, which may not be installed."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = fcntl.ioctl(control, SIOCGIFFLAGS, struct.pack("16sh22x", b"lo", 0))
        (flags,) = struct.unpack_from("h", request, 16)
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))


def can_enter_own_network() -> bool:
    """Tries it in a child: half-way in, with no user of its own, a process could not go back."""
    if not sys.platform.startswith("linux"):
        return False
    child = os.fork()
    if child == 0:
        try:
            enter_own_network()
            os._exit(0)
        except OSError as error:
            print(f"No network namespace of our own: {error}", file=sys.stderr, flush=True)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main() -> None:
    """Runs the command in this process's place."""
    command = sys.argv[1:]
    if not command:
        sys.exit(__doc__)
    if can_enter_own_network():
        enter_own_network()
        os.environ["TESTS_LOOPBACK_ONLY"] = "1"
    else:
        print("Only the guard inside the tests blocks the network.", file=sys.stderr, flush=True)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
