const maxMessageLength = 500

/** A driver's message on one line, without control characters and at most 500 characters long. */
export const cleanDriverMessage = (message: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of
  const oneLine = message.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return oneLine.length <= maxMessageLength ? oneLine : `${oneLine.slice(0, maxMessageLength - 1)}…`
}
