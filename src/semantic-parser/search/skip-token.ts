import { functionWords } from '../lexicon/function-words.ts'
import { type Features, weightedScore } from '../rank/features.ts'
import type { SearchContext } from './search-context.ts'
import type { SearchState } from './state.ts'

/** Leaves a token unread. What that costs depends on how much the token says. */
export const skipToken = (context: SearchContext, state: SearchState): SearchState => {
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

/** Words behind which a thing is named: leaving that thing out changes what was asked. */
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
