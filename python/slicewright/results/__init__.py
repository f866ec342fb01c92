"""Results: values of subjects in variants and readings as one frame, and the judge that puts them beside others."""
