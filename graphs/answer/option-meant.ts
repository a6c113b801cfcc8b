import type { Clarification } from '../../src/core/clarification.ts'
import { foldText } from '../../src/lib/fold-text.ts'

/** Words that say nothing of which option is meant. */
const fillers = new Set(
  'a an and as at by for i in is it its just mean meant of ok one option number please take that the them this to want with yes'.split(
    ' ',
  ),
)

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4 }

/**
 * The number of the option (from 1) that typed words clearly name: its number, or words of its label that no other
 * option has. Null for everything else, also where the words say more than a label does: that is a reply of its own.
 */
export const matchOption = (reply: string, { options }: Pick<Clarification, 'options'>): number | null => {
  const words = wordsOf(reply)
  const labels = options.map(option => new Set(wordsOf(option.label)))
  const exact = options.findIndex(option => wordsOf(option.label).join(' ') === words.join(' '))
  if (exact >= 0) return exact + 1
  const told = words.filter(word => !fillers.has(word))
  const [only] = told
  if (told.length === 1 && only !== undefined && !labels.some(label => label.has(only))) {
    const typed = ordinals[only] ?? (/^\d+$/.test(only) ? Number(only) : 0)
    if (options[typed - 1]) return typed
  }
  if (told.length === 0) return null
  const meant = labels.flatMap((label, at) => (told.every(word => label.has(word)) ? [at + 1] : []))
  return meant.length === 1 ? (meant[0] ?? null) : null
}

const wordsOf = (text: string): readonly string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
