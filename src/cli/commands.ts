import { sampleCompany } from '../bootstrap/databases/databases.ts'
import type { CommandContext } from './command-context.ts'

/** All arguments and options, as commander parses them. Any may be absent unless commander requires it. */
export interface CommandOptions {
  readonly question?: string
  readonly table?: string
  readonly team?: string
  readonly kind?: string
  readonly keyword?: string
  readonly id?: string
  readonly version?: string
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
  readonly strategies?: string
  readonly set?: readonly string[]
  readonly shots?: string
  readonly asOf?: string
  readonly reply?: string
  readonly after?: readonly string[]
  readonly evidence?: string
  readonly explain?: boolean
  readonly describe?: boolean
  readonly proposed?: boolean
  readonly acceptAll?: boolean
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
  readonly pairs?: string
  readonly format?: string
  readonly paths?: readonly string[]
  readonly force?: boolean
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
  readonly http?: boolean
  readonly port?: string
  readonly address?: string
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
  | 'eval-compare'
  | 'verified-list'
  | 'verified-add'
  | 'verified-accept'
  | 'verified-remove'
  | 'train-selector'
  | 'selector-list'
  | 'selector-promote'
  | 'selector-rollback'
  | 'feedback-export'
  | 'feedback-held'
  | 'feedback-accept'
  | 'feedback-drop'
  | 'feedback-voters'
  | 'access-explain'
  | 'knowledge-proposed'
  | 'knowledge-accept'
  | 'knowledge-reject'
  | 'semantic-check'
  | 'semantic-list'
  | 'semantic-review'
  | 'semantic-rollback'
  | 'semantic-import'
  | 'semantic-export'
  | 'audit-export'
  | 'forget'
  | 'serve'
  | 'mcp'
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
  | 'connector-check'

/** Does the work of a command and returns the exit status. Throws `QuerentError` if it cannot. */
type RunCommand = (options: CommandOptions, context: CommandContext) => Promise<number>

/** A command whose code is loaded when it runs: a question on a SQLite file needs neither Slack nor a job queue. */
const load =
  <Name extends string>(module: () => Promise<Record<Name, RunCommand>>, name: Name): RunCommand =>
  async (options, context) =>
    (await module())[name](options, context)

/** Opens the database of a question while the code that answers it is loaded: the two wait on different things. */
const ask: RunCommand = async (options, context) => {
  const { config, resources, signal } = context
  // With a store, the store is opened first: it has indexes that others have built. A database that cannot be opened is
  // reported when the question is asked, which opens it again.
  if (!options.store)
    void resources
      .openDatabase(options.database ?? config.defaultDatabase ?? sampleCompany, { signal })
      .catch(() => {})
  const { runAsk } = await import('./ask.ts')
  return runAsk(options, context)
}

export const commands: Readonly<Record<CommandName, RunCommand>> = {
  ask,
  guard: load(() => import('./guard.ts'), 'runGuard'),
  values: load(() => import('./value-index.ts'), 'runValues'),
  'bench-values': load(() => import('./evaluation/bench-values.ts'), 'runBenchValues'),
  'eval-questions': load(() => import('./evaluation/eval-questions.ts'), 'runEvalQuestions'),
  'eval-selection': load(() => import('./evaluation/eval-selection.ts'), 'runEvalSelection'),
  'eval-compare': load(() => import('./evaluation/eval-compare.ts'), 'runEvalCompare'),
  'eval-diff': load(() => import('./evaluation/eval-questions.ts'), 'runEvalDiff'),
  index: load(() => import('./value-index.ts'), 'runIndexDatabase'),
  'verified-list': load(() => import('./verified.ts'), 'runVerifiedList'),
  'verified-add': load(() => import('./verified.ts'), 'runVerifiedAdd'),
  'verified-accept': load(() => import('./verified.ts'), 'runVerifiedAccept'),
  'verified-remove': load(() => import('./verified.ts'), 'runVerifiedRemove'),
  'train-selector': load(() => import('../../training/selector/train-selector.ts'), 'runTrainSelector'),
  'selector-list': load(() => import('./selector.ts'), 'runSelectorList'),
  'selector-promote': load(() => import('./selector.ts'), 'runSelectorPromote'),
  'selector-rollback': load(() => import('./selector.ts'), 'runSelectorRollback'),
  'feedback-export': load(() => import('./feedback.ts'), 'runFeedbackExport'),
  'feedback-held': load(() => import('./held-feedback.ts'), 'runFeedbackHeld'),
  'feedback-accept': load(() => import('./held-feedback.ts'), 'runFeedbackAccept'),
  'feedback-drop': load(() => import('./held-feedback.ts'), 'runFeedbackDrop'),
  'feedback-voters': load(() => import('./held-feedback.ts'), 'runFeedbackVoters'),
  'access-explain': load(() => import('./access.ts'), 'runAccessExplain'),
  'knowledge-proposed': load(() => import('./knowledge.ts'), 'runKnowledgeProposed'),
  'knowledge-accept': load(() => import('./knowledge.ts'), 'runKnowledgeAccept'),
  'knowledge-reject': load(() => import('./knowledge.ts'), 'runKnowledgeReject'),
  'semantic-check': load(() => import('./semantic/semantic.ts'), 'runSemanticCheck'),
  'semantic-list': load(() => import('./semantic/semantic.ts'), 'runSemanticList'),
  'semantic-review': load(() => import('./semantic/review.ts'), 'runSemanticReview'),
  'semantic-rollback': load(() => import('./semantic/review.ts'), 'runSemanticRollback'),
  'semantic-import': load(() => import('./semantic/import-export.ts'), 'runSemanticImport'),
  'semantic-export': load(() => import('./semantic/import-export.ts'), 'runSemanticExport'),
  'audit-export': load(() => import('./audit.ts'), 'runAuditExport'),
  forget: load(() => import('./forget.ts'), 'runForget'),
  init: load(() => import('./init/init.ts'), 'runInit'),
  'digest-list': load(() => import('./digest.ts'), 'runDigestList'),
  'digest-edit': load(() => import('./digest.ts'), 'runDigestEdit'),
  'digest-run': load(() => import('./digest.ts'), 'runDigestRun'),
  'digest-pause': load(() => import('./digest.ts'), 'runDigestPause'),
  'digest-resume': load(() => import('./digest.ts'), 'runDigestResume'),
  'installations-list': load(() => import('./installations.ts'), 'runInstallationsList'),
  'installations-remove': load(() => import('./installations.ts'), 'runInstallationsRemove'),
  'installations-rotate-keys': load(() => import('./installations.ts'), 'runInstallationsRotateKeys'),
  migrate: load(() => import('./operations.ts'), 'runMigrate'),
  serve: load(() => import('./operations.ts'), 'runServe'),
  mcp: load(() => import('./mcp.ts'), 'runMcp'),
  doctor: load(() => import('./operations.ts'), 'runDoctor'),
  'connector-check': load(() => import('./connector-check.ts'), 'runConnectorCheck'),
}
