/** One question in this many is never trained on. */
const ONE_IN = 4

/**
 * Whether a question's votes are kept for comparing selectors. It hangs on the id alone, so that what is held out tonight
 * was held out every night before: no champion has seen it. FNV-1a over the id's code units.
 */
export const isHeldOut = (questionId: string): boolean => {
  let hash = 0x811c9dc5
  for (let at = 0; at < questionId.length; at++)
    hash = Math.imul(hash ^ questionId.charCodeAt(at), 0x01000193) >>> 0
  // The low bits of FNV-1a mix too little for ids that differ in their ends.
  return ((hash ^ (hash >>> 15)) >>> 0) % ONE_IN === 0
}
