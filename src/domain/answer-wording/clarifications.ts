import { capitalize } from '../../lib/capitalize.ts'

/** What a question back is about. */
export type ClarificationTopic =
  /** Words of the question that can mean several things. */
  | { readonly kind: 'phrase'; readonly phrase: string; readonly isGroup: boolean }
  /** A part of the query in which the candidates differ; null if they differ in several. */
  | { readonly kind: 'part'; readonly part: ClarifiedPart | null }
  /** The options are results, because no words tell them apart. */
  | { readonly kind: 'results' }
  /** Whether to run an expensive statement; `estimate` says how much it would read. */
  | { readonly kind: 'run-expensive'; readonly estimate: string }

export type ClarifiedPart = 'output' | 'filter' | 'group' | 'ranking' | 'distinct' | 'match'

/**
 * Words a question back.
 *
 * @example clarificationText({ kind: 'phrase', phrase: 'country', isGroup: true }) // By which country?
 */
export const clarificationText = (topic: ClarificationTopic): string => {
  switch (topic.kind) {
    case 'phrase':
      return topic.isGroup ? `By which ${topic.phrase}?` : `What do you mean by “${topic.phrase}”?`
    case 'part':
      return topic.part === null ? 'Which of these do you mean?' : partText[topic.part]
    case 'results':
      return 'Which of these results do you mean?'
    case 'run-expensive':
      return `${topic.estimate} Should I run it?`.trim()
    default: {
      const never: never = topic
      return never
    }
  }
}

const partText: Readonly<Record<ClarifiedPart, string>> = {
  output: 'What should the answer show?',
  filter: 'Which ones do you mean?',
  group: 'How should I group it?',
  ranking: 'Which ones do you want to see?',
  distinct: 'Should each appear once, or as often as it occurs?',
  match: 'Which ones should be included?',
}

/** Options as people read them: in sentence case, and without what all of them would give alike, such as 19 rows. */
export const readableOptions = <Option extends { readonly label: string; readonly hint: string }>(
  options: readonly Option[],
): readonly Option[] => {
  const isSame = new Set(options.map(({ hint }) => hint)).size === 1
  return options.map(option => ({
    ...option,
    label: capitalize(option.label),
    hint: isSame ? '' : option.hint,
  }))
}

/** The options of a question whether to run an expensive statement. */
export const runApprovalText = {
  run: { label: 'Run it', hint: 'once, for this question' },
  narrow: { label: 'Narrow it', hint: 'see smaller questions' },
  cancel: { label: 'Cancel', hint: 'run nothing' },
} as const
