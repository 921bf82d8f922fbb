"""The one error of this package, so that a caller can tell a refusal from a fault."""


class PermissionsError(Exception):
    """A rule that cannot be read, or a path that may not be opened."""
