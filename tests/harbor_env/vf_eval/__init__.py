"""The real `vf-eval` over the bundled tasks, with a model that answers on this machine."""
