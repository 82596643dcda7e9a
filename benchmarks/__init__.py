"""The suite of benchmarks, side by side with whichever peers are installed."""
