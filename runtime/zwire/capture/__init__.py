"""Recording of traffic."""
