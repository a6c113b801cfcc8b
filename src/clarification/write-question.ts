import type { LabelledBlock } from './choose-labels.ts'
import type { DecisionVariable } from './decision-variables.ts'
import type { KnownContender } from './make-contenders.ts'
import { phraseOfValue } from './meaning-of.ts'
import type { Slot } from './query-parts.ts'

const aboutSlot: Readonly<Partial<Record<Slot, string>>> = {
  output: 'What should the answer show?',
  condition: 'Which of them do you mean?',
  having: 'Which of them do you mean?',
  group: 'How should I sum it up?',
  ranking: 'Which of them do you want to see?',
  distinct: 'Should each be there once, or as often as it occurs?',
  partner: 'Which of them should be there?',
}

/** Asks about the phrase that is taken differently where there is one, else about what differs. */
export const writeQuestion = ({
  variable: { about, blocks },
  labelled,
  contenders,
  question,
}: {
  readonly variable: DecisionVariable
  readonly labelled: readonly LabelledBlock[]
  readonly contenders: readonly KnownContender[]
  readonly question: string
}): string => {
  if (labelled.some(({ isResult }) => isResult)) return 'Which of these results do you mean?'
  const phrase = about.kind === 'phrase' ? about.phrase : phraseOfValue({ blocks, contenders, question })
  if (phrase !== null) return `What do you mean by “${phrase}”?`
  return (about.kind === 'slot' && aboutSlot[about.slot]) || 'Which of these do you mean?'
}
