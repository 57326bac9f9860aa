"""The Python target: typed messages, codecs and dialog machines that need nothing else."""
