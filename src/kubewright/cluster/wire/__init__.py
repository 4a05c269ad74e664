"""What goes over the wire: media types, JSON and YAML, how built-in types are read, Tables and partial objects."""
