import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { cells, isTable } from '../../test/e2e/message-parts.ts'
import { type Handle, handles, markOf, phoneMark, regions, type Sight, type Sights } from './world.ts'

/** What somebody may not see of a text that was delivered to them. */
export const leaksTo = (sight: Sight, text: string): readonly string[] => {
  if (sight === 'all') return []
  const folded = text.toLowerCase()
  return [
    ...regions
      .filter(region => region !== sight && folded.includes(markOf(region)))
      .map(region => `rows of ${region}`),
    ...(folded.includes(phoneMark) ? ['masked values'] : []),
  ]
}

/** The figures of an answer as it is shown, in no order; null if the message shows none. */
export const figuresIn = (message: RecordedMessage): readonly string[] | null => {
  if (!JSON.stringify(message.blocks).includes('show_sql')) return null
  const plain = (cell: string): string => cell.replaceAll(/(?<=\d),(?=\d{3})/g, '')
  if (isTable(message)) return cells(message).slice(1).flat().map(plain).toSorted()
  const numbers = plain(message.text).match(/\d+(\.\d+)?/g) ?? []
  return numbers.length === 0 ? [] : [numbers.at(-1) ?? '']
}

/** Who has seen a version of a message, when rights were changed at a moment. */
export interface Watched {
  readonly simulator: Simulator
  readonly sights: Sights
  /** Rights before and after, and when they changed; null if they did not. */
  readonly changed: { readonly at: number; readonly sights: Sights } | null
}

const everything = ({ text, blocks }: { readonly text: string; readonly blocks: unknown }): string =>
  JSON.stringify([text, blocks])

/** All that was delivered to people and that they may not see, one line each. */
export const judgeDeliveries = ({ simulator, sights, changed }: Watched): readonly string[] => {
  const handleOf = new Map(simulator.people.map(({ id, handle }) => [id, handle as Handle]))
  const found: string[] = []
  for (const message of simulator.messages().filter(({ byBot }) => byBot)) {
    const channel = simulator.channels.find(({ id }) => id === message.channel)
    const only = message.onlyFor ?? channel?.person ?? null
    const readers = only === null ? handles : [handleOf.get(only)].filter(handle => handle !== undefined)
    for (const { at, text, blocks } of message.history) {
      const now = changed !== null && at >= changed.at ? changed.sights : sights
      for (const reader of readers)
        for (const leak of leaksTo(now[reader], everything({ text, blocks })))
          found.push(`${reader} saw ${leak} in ${channel?.name}: ${text.slice(0, 160)}`)
      // Where people see different rows, no answer may stand for all of them.
      if (only === null && JSON.stringify(blocks).includes('show_sql'))
        found.push(`an answer stands in ${channel?.name}: ${text.slice(0, 160)}`)
    }
  }
  return found
}
