import { functionWords } from '../lexicon.ts'
import type { LinkedSpan } from '../link/linked-span.ts'
import { type Features, weightedScore } from '../rank/model.ts'
import type { SearchContext } from './search-context.ts'
import { type SearchState, startState } from './state.ts'
import { readColumn } from './steps/read-column.ts'
import { readCue } from './steps/read-cue.ts'
import { readNumber } from './steps/read-number.ts'
import { readPeriod } from './steps/read-period.ts'
import { readTable } from './steps/read-table.ts'
import { readAbsence, readText, readValue } from './steps/read-value.ts'

/**
 * Searches a question from left to right with a beam of the `width` best states at every token. States with the same
 * meaning are merged, and the better one is kept. `start` is the initial state, for follow-ups.
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

/** Skips a token. The cost depends on how much the token says. */
const skipToken = (context: SearchContext, state: SearchState): SearchState => {
  const features = skipFeatures(context, state.position)
  return {
    ...state,
    position: state.position + 1,
    score: state.score + weightedScore(features, context.weights),
    trail: {
      item: null,
      role: 'skip',
      at: [state.position, state.position + 1],
      chosen: null,
      features,
      before: state.trail,
    },
  }
}

/** Words before the name of a thing: skipping that thing would change the question. */
const nounOpeners = new Set(
  'a an the of in with without by for from per no any each every their its my our'.split(' '),
)

const skipFeatures = ({ tokens, lattice }: SearchContext, at: number): Features => {
  const token = tokens[at]
  if (!token || token.kind === 'mark') return []
  if (token.kind === 'quoted') return [['skip.quoted', 1]]
  if (token.kind === 'number') return [['skip.number', 1]]
  const items = lattice.startingAt[at] ?? []
  const cue = items.find(item => item.kind === 'cue' && item.end === at + 1)
  if (cue?.kind === 'cue') return [[`skip.cue.${cue.cue.kind}`, 1]]
  if (functionWords.has(token.folded)) return [['skip.function', 1]]
  const linked = items.some(item => item.kind === 'table' || item.kind === 'column')
  const capital = /^\p{Lu}/u.test(token.text) && at > 0
  return [
    ['skip.content', 1],
    ['skip.noun', nounOpeners.has(tokens[at - 1]?.folded ?? '') ? 1 : 0],
    ['skip.modifier', (lattice.startingAt[at + 1] ?? []).some(item => item.kind === 'table') ? 1 : 0],
    ['skip.linked', linked ? 1 : 0],
    ['skip.capital', capital ? 1 : 0],
    ['skip.value', items.some(item => item.kind === 'value') ? 1 : 0],
  ]
}
