"""The screens of the documents as live panels: fields that an operator changes while a scenario runs."""
