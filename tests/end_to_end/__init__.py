"""The bundled tasks, run by every driver on every sandbox that is there: all of them leave the same."""
