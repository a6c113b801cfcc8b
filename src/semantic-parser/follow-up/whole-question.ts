import { stripFollowUpCues } from './strip-cues.ts'

/** Words of the question before that a change takes out, and what stands there now. */
export interface Replacement {
  readonly before: string
  readonly now: string
}

/**
 * The whole question in words: the one before with the change put in, for whoever reads words and not trees (models,
 * verified questions, people).
 */
export const composeWholeQuestion = (
  before: string,
  said: string,
  replacements: readonly Replacement[],
): string => {
  const base = before.replace(/[\s?!.]+$/u, '')
  const changed = replacements.reduce((text, { before: old, now }) => {
    const at = text.toLowerCase().indexOf(old.toLowerCase())
    return at < 0 ? text : text.slice(0, at) + now + text.slice(at + old.length)
  }, base)
  return changed === base ? `${base}, ${stripFollowUpCues(said).text}` : changed
}
