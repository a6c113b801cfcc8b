import type { Knex } from 'knex'
import { questionsAndAnswers } from './2026-11-20-questions-and-answers.ts'
import { changedAnswers } from './2026-11-21-changed-answers.ts'
import { home } from './2026-11-21-home.ts'
import { proposedRules } from './2026-11-21-proposed-rules.ts'
import { stopping } from './2026-11-21-stopping.ts'
import { threads } from './2026-11-21-threads.ts'
import { traces } from './2026-11-21-traces.ts'
import { verifiedQueries } from './2026-11-21-verified-queries.ts'
import { verifiedRechecks } from './2026-11-21-verified-rechecks.ts'
import { modelUsage } from './2026-11-21-what-models-cost.ts'
import { learnedSelection } from './2026-11-21-what-selectors-learned.ts'
import { audit } from './2026-11-22-audit.ts'
import { auditOfShells } from './2026-11-22-audit-of-shells.ts'
import { budgets } from './2026-11-22-budgets.ts'
import { cachedAnswers } from './2026-11-22-cached-answers.ts'
import { digestStatements } from './2026-11-22-digest-statements.ts'
import { digestWishes } from './2026-11-22-digest-wishes.ts'
import { digests } from './2026-11-22-digests.ts'
import { draftOrigins } from './2026-11-22-draft-origins.ts'
import { installations } from './2026-11-22-installations.ts'
import { readingReservations } from './2026-11-22-reading-reservations.ts'
import { sharedIndexes } from './2026-11-22-shared-indexes.ts'
import { whoPressed } from './2026-11-22-who-pressed.ts'
import { checkpoints } from './2026-11-23-checkpoints.ts'

/** One step of the schema. Its name is what the database remembers; once landed, neither name nor body changes. */
export interface Migration {
  readonly name: string
  readonly up: (knex: Knex) => Promise<void>
  readonly down: (knex: Knex) => Promise<void>
}

/** Every migration, in the order in which they run. New ones go to the end. */
export const migrations: readonly Migration[] = [
  questionsAndAnswers,
  traces,
  verifiedQueries,
  verifiedRechecks,
  modelUsage,
  stopping,
  changedAnswers,
  learnedSelection,
  threads,
  proposedRules,
  home,
  digests,
  audit,
  cachedAnswers,
  budgets,
  installations,
  digestStatements,
  digestWishes,
  auditOfShells,
  readingReservations,
  sharedIndexes,
  whoPressed,
  draftOrigins,
  checkpoints,
]
