import type {
  AnswerDeps,
  CheckingDeps,
  ChoosingDeps,
  DraftingDeps,
  LinkingDeps,
  ObservingDeps,
  StoringDeps,
  TalkingDeps,
  UnderstandingDeps,
} from '../../graphs/answer/deps.ts'

/** The parts of an answer graph in one flat list, so that a test can replace single ones. */
export type AnswerParts = Pick<AnswerDeps, 'database'> &
  UnderstandingDeps &
  LinkingDeps &
  Omit<DraftingDeps, 'mode' | 'mostDrafts'> & {
    readonly drafting: Pick<DraftingDeps, 'mode' | 'mostDrafts'>
  } & CheckingDeps &
  ChoosingDeps &
  TalkingDeps &
  StoringDeps &
  ObservingDeps

/** Groups parts as the graph takes them. */
export const answerDeps = (parts: AnswerParts): AnswerDeps => ({
  strategy: 'adaptive',
  agents: null,
  database: parts.database,
  understanding: parts,
  linking: parts,
  drafting: { paths: parts.paths, decideDrafting: parts.decideDrafting, ...parts.drafting },
  checking: parts,
  choosing: parts,
  talking: parts,
  storing: parts,
  observing: parts,
})
