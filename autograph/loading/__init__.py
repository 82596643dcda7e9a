"""From a converted tree to code that runs."""
