const longest = 500

/** A driver's message on one line, without control characters and at most 500 characters long. */
export const scrubMessage = (message: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of
  const oneLine = message.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return oneLine.length <= longest ? oneLine : `${oneLine.slice(0, longest - 1)}…`
}
