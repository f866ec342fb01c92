"""Files and child processes: reading with a clear refusal, writing whole or not at all."""
