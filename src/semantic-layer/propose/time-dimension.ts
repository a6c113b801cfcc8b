import type { Column } from '../../domain/catalog.ts'
import { columnWords } from './names.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** How well words of a name fit the date that a row is counted by. */
const weights: readonly (readonly [ReadonlySet<string>, number])[] = [
  [words('date day timestamp occurred happened'), 3],
  [
    words(
      'placed ordered issued purchased sold paid sent recorded logged visited spent measured started start enrolled rented shipped performed attended submitted transaction event visit',
    ),
    3,
  ],
  [words('scheduled takes held'), 4],
  [words('booked'), 2.5],
  [
    words(
      'created opened joined signed registered hired received posted added requested reported signup released published',
    ),
    2,
  ],
  [words('due expected promised planned estimated target'), -3],
  [
    words(
      'end ended ends closed canceled cancelled churned left deleted resolved returned delivered completed finished expires expiry expired renewal renewed until last discontinued graduation graduated answered',
    ),
    -3,
  ],
  [words('updated modified changed synced loaded seen'), -5],
  [words('birth birthday dob born death founded'), -8],
]

/** How well a column fits as the date of its table's rows; higher is better, below 0 it does not. */
export const rateTimeColumn = (
  name: string,
  { nullable, comment }: Pick<Column, 'nullable' | 'comment'>,
  table: readonly string[],
): number => {
  const own = columnWords(name)
  let score = nullable ? -1 : 0
  for (const [set, weight] of weights) if (own.some(word => set.has(word))) score += weight
  // The order date of an order.
  if (own.some(word => table.some(other => other === word || (word.length >= 4 && other.startsWith(word)))))
    score += 2
  if (comment && /\bwhen\b/i.test(comment) && table.some(word => comment.toLowerCase().includes(word)))
    score += 1
  return score
}

/** Tables that are calendars: a row for each day. */
export const isCalendar = (table: readonly string[]): boolean =>
  table.length <= 2 && table.some(word => word === 'date' || word === 'calendar' || word === 'day')
