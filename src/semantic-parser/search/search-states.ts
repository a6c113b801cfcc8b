import type { LinkedSpan } from '../link/item.ts'
import type { SearchContext } from './search-context.ts'
import { skipToken } from './skip-token.ts'
import { type SearchState, startState } from './state.ts'
import { readAbsence } from './steps/read-absence.ts'
import { readColumn } from './steps/read-column.ts'
import { readCue } from './steps/read-cue.ts'
import { readNumber } from './steps/read-number.ts'
import { readPeriod } from './steps/read-period.ts'
import { readTable } from './steps/read-table.ts'
import { readText } from './steps/read-text.ts'
import { readValue } from './steps/read-value.ts'

/**
 * Reads the question from left to right, keeping the `width` best partial readings at every token. States that mean
 * the same meet, and the better one goes on. `start` is another beginning than nothing, for what follows a question.
 */
export const searchStates = (
  context: SearchContext,
  width: number,
  start: SearchState = startState,
): readonly SearchState[] => {
  const length = context.tokens.length
  const agenda: Map<string, SearchState>[] = Array.from({ length: length + 1 }, () => new Map())
  agenda[0]?.set('', start)
  for (let position = 0; position < length; position++) {
    const kept = pruneStates(agenda[position], width)
    agenda[position]?.clear()
    for (const state of kept) {
      addState(agenda, skipToken(context, state))
      for (const item of context.lattice.startingAt[position] ?? []) {
        for (const next of readLinkedSpan(context, state, item)) addState(agenda, next)
      }
    }
  }
  return pruneStates(agenda[length], width)
}

const addState = (agenda: readonly Map<string, SearchState>[], state: SearchState): void => {
  const states = agenda[state.position]
  const rival = states?.get(state.key)
  if (!rival || rival.score < state.score) states?.set(state.key, state)
}

const pruneStates = (
  states: ReadonlyMap<string, SearchState> | undefined,
  width: number,
): readonly SearchState[] => [...(states?.values() ?? [])].sort((a, b) => b.score - a.score).slice(0, width)

const readLinkedSpan = (
  context: SearchContext,
  state: SearchState,
  item: LinkedSpan,
): readonly SearchState[] => {
  switch (item.kind) {
    case 'cue':
      return readCue(context, state, item)
    case 'column':
      return readColumn(context, state, item)
    case 'table':
      return readTable(context, state, item)
    case 'value':
      return readValue(context, state, item)
    case 'number':
      return readNumber(context, state, item)
    case 'period':
      return readPeriod(context, state, item)
    case 'absence':
      return readAbsence(context, state, item)
    case 'text':
      return readText(context, state, item)
  }
}
