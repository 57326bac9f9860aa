"""The pages of protocols for people: tables, pictures of frames and dialogs, examples in hex."""
