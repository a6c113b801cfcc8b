import type { QuestionWords } from './question-words.ts'

/** How many columns a question lists to be shown. "For each" may or may not ask for the key of its groups. */
export interface RequestedColumns {
  readonly least: number
  readonly most: number
}

/**
 * Counts what a question lists before its condition: `name, country and age` are three. A last sentence that asks for
 * a list (`List their names and ages.`) stands for the whole question, unless it says that it asks for more.
 */
export const countRequestedColumns = ({ folded, words, head }: QuestionWords): RequestedColumns => {
  const listing =
    /[.?!;]\s+(?:please )?(?:list|show|give|return|tell|display|report)\b([^.?!;]*)[.?!;\s]*$/.exec(
      folded,
    )?.[1]
  const first = folded.slice(0, words[head]?.start ?? folded.length)
  const own = listing === undefined || /\balso\b/.test(listing) ? countItems(first) : 0
  const least = own + (listing === undefined ? 0 : countItems(listing))
  const each = /\b(?:each|every|per)\b|\bfor (?:all|different)\b/.test(folded) ? 1 : 0
  return { least, most: least + each }
}

const countItems = (text: string): number => {
  const listed = text
    // `For each country, show ...` and `On average, ...` list nothing before their comma.
    .replace(/^\s*(?:for|in|on|among|of)\b[^,]*,/, ' ')
    .replace(/[\s,]+$/, '')
    // What stands behind the thing that is shown is part of its condition: `the pets shared by ...`.
    .replace(/\b(?:between .* and|both .* and)\b/g, ' ')
  return (
    1 +
    (listed.match(/,(?!\s*(?:and|or|but)\b)|\band\b|\bas well as\b|\balong with\b|\btogether with\b/g) ?? [])
      .length
  )
}
