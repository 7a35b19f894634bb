/** The description of the profiles that `sandbox start` creates, by which other commands recognise them. */
export const sandboxMark = 'created by weir sandbox start';
