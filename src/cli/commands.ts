import { makeAnswering } from '../bootstrap/answering/answering.ts'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import {
  makeListReachableVerified,
  makeReadIfReachable,
  type ReadIfReachable,
} from '../bootstrap/own-store.ts'
import { makeGuard } from '../databases/guard/guard.ts'
import { makeKnownTablesGuard } from '../databases/guard/scope/apply-scope.ts'
import { QuerentError } from '../domain/errors.ts'
import type { ListRules } from '../domain/knowledge.ts'
import { readStrategy, runAsk } from './ask.ts'
import { runAuditExport } from './audit.ts'
import type { CommandContext } from './command-context.ts'
import { runDigestEdit, runDigestList, runDigestPause, runDigestResume, runDigestRun } from './digest.ts'
import { runBenchValues } from './evaluation/bench-values.ts'
import { runEvalQuestions } from './evaluation/eval-questions.ts'
import { runEvalDiff } from './evaluation/eval-report.ts'
import { runEvalSelection } from './evaluation/eval-selection.ts'
import { runFeedbackExport } from './feedback.ts'
import { runForget } from './forget.ts'
import { runGuard } from './guard.ts'
import { runInit } from './init/init.ts'
import { runInstallationsList, runInstallationsRemove, runInstallationsRotateKeys } from './installations.ts'
import { runKnowledgeAccept, runKnowledgeProposed, runKnowledgeReject } from './knowledge.ts'
import { runDoctor, runMigrate, runServe } from './operations.ts'
import { runSelectorList, runSelectorPromote, runSelectorRollback } from './selector.ts'
import { runTrainSelector } from './training/train-selector.ts'
import { runIndexDatabase, runValues } from './value-index.ts'
import { runVerifiedAccept, runVerifiedAdd, runVerifiedList, runVerifiedRemove } from './verified.ts'

/** What was typed, as commander hands it over. Every option may be absent but those that commander requires. */
export interface CommandOptions {
  readonly question?: string
  readonly keyword?: string
  readonly id?: string
  readonly sql?: string
  readonly status?: string
  readonly databaseFromEnv?: string
  readonly name?: string
  readonly description?: string
  readonly replace?: boolean
  readonly slack?: string
  readonly url?: string
  readonly yes?: boolean
  readonly accept?: boolean
  readonly values?: string
  readonly queries?: string
  readonly database?: string
  readonly model?: string
  readonly strategy?: string
  readonly asOf?: string
  readonly reply?: string
  readonly after?: readonly string[]
  readonly explain?: boolean
  readonly describe?: boolean
  readonly store?: boolean
  readonly json?: boolean
  readonly dialect?: string
  readonly file?: string
  readonly questions?: string
  readonly databases?: string
  readonly limit?: string
  readonly pools?: string
  readonly pool?: readonly string[]
  readonly selector?: string
  readonly folds?: string
  readonly clarify?: boolean
  readonly out?: string
  readonly format?: string
  readonly rves?: boolean
  readonly seed?: string
  readonly ablation?: boolean
  readonly groups?: string
  readonly report?: string
  readonly against?: string
  readonly since?: string
  readonly until?: string
  readonly person?: string
  readonly origin?: string
  readonly a?: string
  readonly b?: string
}

export type CommandName =
  | 'ask'
  | 'guard'
  | 'values'
  | 'bench-values'
  | 'index'
  | 'eval-questions'
  | 'eval-selection'
  | 'eval-diff'
  | 'verified-list'
  | 'verified-add'
  | 'verified-accept'
  | 'verified-remove'
  | 'train-selector'
  | 'selector-list'
  | 'selector-promote'
  | 'selector-rollback'
  | 'feedback-export'
  | 'knowledge-proposed'
  | 'knowledge-accept'
  | 'knowledge-reject'
  | 'audit-export'
  | 'forget'
  | 'serve'
  | 'init'
  | 'digest-list'
  | 'digest-edit'
  | 'digest-run'
  | 'digest-pause'
  | 'digest-resume'
  | 'installations-list'
  | 'installations-remove'
  | 'installations-rotate-keys'
  | 'migrate'
  | 'doctor'

/** A command: does its work and tells the exit status. Throws `QuerentError` where it could not. */
type RunCommand = (options: CommandOptions, context: CommandContext) => Promise<number>

export const commands: Readonly<Record<CommandName, RunCommand>> = {
  ask: async (options, context) => {
    const drafting = readStrategy(options.strategy)
    const { resources } = context
    const house = drafting === null ? resources : { ...resources, config: { ...resources.config, drafting } }
    const answering = await makeAnswering(house, {
      model: options.model ?? null,
      kept: options.store ? 'in-store' : 'in-memory',
      ...(options.store ? {} : acceptedInStore(makeReadIfReachable(resources))),
    })
    const database = options.database ?? context.config.defaultDatabase ?? sampleCompany
    await assertKnownDatabase(database, context)
    return runAsk(
      {
        text: options.question ?? '',
        database,
        askedAt: context.now,
        timeZone: context.config.timeZone,
        reply: options.reply ?? null,
        json: options.json ?? false,
        explain: options.explain ?? false,
        after: options.after ?? [],
      },
      answering,
      context.terminal,
      context.signal,
    )
  },

  guard: async (options, { resources, terminal }) => {
    const database = options.database ? await resources.openDatabase(options.database) : null
    const guard = database ? makeKnownTablesGuard(database.guard, database.catalog) : makeGuard()
    await runGuard(
      { dialect: database?.dialect ?? options.dialect ?? 'postgres', file: options.file },
      guard,
      terminal,
    )
    return 0
  },

  values: runValues,
  'bench-values': runBenchValues,
  'eval-questions': runEvalQuestions,
  'eval-selection': runEvalSelection,
  'eval-diff': runEvalDiff,
  index: runIndexDatabase,
  'verified-list': runVerifiedList,
  'verified-add': runVerifiedAdd,
  'verified-accept': runVerifiedAccept,
  'verified-remove': runVerifiedRemove,
  'train-selector': runTrainSelector,
  'selector-list': runSelectorList,
  'selector-promote': runSelectorPromote,
  'selector-rollback': runSelectorRollback,
  'feedback-export': runFeedbackExport,
  'knowledge-proposed': runKnowledgeProposed,
  'knowledge-accept': runKnowledgeAccept,
  'knowledge-reject': runKnowledgeReject,
  'audit-export': runAuditExport,
  forget: runForget,
  init: runInit,
  'digest-list': runDigestList,
  'digest-edit': runDigestEdit,
  'digest-run': runDigestRun,
  'digest-pause': runDigestPause,
  'digest-resume': runDigestResume,
  'installations-list': runInstallationsList,
  'installations-remove': runInstallationsRemove,
  'installations-rotate-keys': runInstallationsRotateKeys,
  migrate: runMigrate,
  serve: runServe,
  doctor: runDoctor,
}

/** What people have accepted, for a question that is kept in memory. */
const acceptedInStore = (reach: ReadIfReachable) => ({
  listVerified: makeListReachableVerified(reach),
  listRules: ((only, { signal } = {}) =>
    reach(store => store.repositories.proposedRules.list(only), {
      otherwise: [],
      ...(signal ? { signal } : {}),
    })) satisfies ListRules,
})

/** A name that stands for no database is a wrong argument; one that cannot be reached is an answer that failed. */
const assertKnownDatabase = async (
  database: string,
  { resources, signal }: CommandContext,
): Promise<void> => {
  await resources.openDatabase(database, { signal }).catch((error: unknown) => {
    if (error instanceof QuerentError && error.code === 'unknown-database') throw error
  })
}
