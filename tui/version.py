"""The one place that states the version; importing it costs nothing."""

VERSION = "0.1.0"
