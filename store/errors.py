"""What can go wrong in the store, each naming the thing and what to do next."""

from pathlib import Path


class StoreError(Exception):
    pass


class NewerSchemaError(StoreError):
    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer Wakeful (schema {found}, this one knows {known}); "
            "nothing was changed; update Wakeful, or set WAKEFUL_HOME to another folder"
        )


class DamagedError(StoreError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged; start Wakeful again: the file is moved aside and everything readable is kept"
        )


class MissingError(StoreError):
    """The row does not exist, or belongs to another tenant, which must look the same."""


class ConflictError(StoreError):
    """A write that the schema refuses."""


class SessionBusyError(StoreError):
    def __init__(self, session_id: str, pid: int | None) -> None:
        owner = f"process {pid}" if pid else "another process"
        super().__init__(
            f"session {session_id} is open in {owner}; "
            f"follow it with `wakeful repl -r {session_id}`, or close it there first"
        )
        self.session_id = session_id
        self.pid = pid
