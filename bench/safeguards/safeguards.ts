import type { Threat } from '../../test/adversarial/attack.ts'

/** Text of a source file that makes a safeguard do nothing when it is replaced. */
interface Patch {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** One safeguard, and what switches it off. Only the process of a benchmark loads its sources this way. */
export interface Safeguard {
  readonly name: string
  /** The threats whose attacks are tried without it; it says nothing of the others. */
  readonly threats: readonly Threat[]
  readonly patches: readonly Patch[]
}

const patch = (file: string, find: string, replace: string): Patch => ({ file, find, replace })

const guard = patch(
  'src/databases/guard/guard.ts',
  'const reason = refusal(sql, dialect, extra)',
  'const reason = null as string | null; void [refusal, extra]',
)

const readOnly: readonly Patch[] = [
  patch('src/databases/connectors/postgres/pool.ts', "'begin read only'", "'begin'"),
  patch(
    'src/databases/connectors/mysql/pool.ts',
    "  await runInternalQuery(connection, 'start transaction read only')\n}",
    "  await runInternalQuery(connection, 'start transaction')\n}",
  ),
  patch('src/databases/connectors/sqlite/child.ts', 'readOnly: true', 'readOnly: false'),
  patch('src/databases/connectors/sqlite/child.ts', 'pragma query_only = on; ', ''),
  patch('src/databases/connectors/sqlite/child.ts', 'database.setAuthorizer(authorize)', 'void authorize'),
  patch('src/databases/connectors/duckdb/open.ts', "access_mode: 'READ_ONLY'", "access_mode: 'AUTOMATIC'"),
]

const lists = patch(
  'src/databases/open-database.ts',
  '!isUnrestrictedScope(scopeOf(options)) ||',
  '(!isUnrestrictedScope(scopeOf(options)) && options.rights !== undefined) ||',
)

/** The safeguards in the order of the table. */
export const safeguards: readonly Safeguard[] = [
  { name: 'guard', threats: ['T1', 'T2', 'T3', 'T4'], patches: [guard] },
  { name: 'read-only connection', threats: ['T1'], patches: readOnly },
  { name: 'guard and read-only connection', threats: ['T1'], patches: [guard, ...readOnly] },
  {
    name: 'guard, lists and read-only connection',
    threats: ['T1'],
    patches: [guard, lists, ...readOnly],
  },
  {
    name: 'lists of tables and columns',
    threats: ['T2', 'T4'],
    patches: [lists],
  },
  {
    name: 'row rules and masks',
    threats: ['T6', 'T13'],
    patches: [
      patch(
        'src/databases/restrict-connection.ts',
        'if (rights.rowRules.length + rights.columnMasks.length === 0) return sql',
        'if (rights.rowRules.length + rights.columnMasks.length >= 0) return sql',
      ),
    ],
  },
  {
    name: 'size rules',
    threats: ['T3'],
    patches: [
      patch(
        'src/databases/guard/guard.ts',
        'sizeRefusal(tree, calls, rules.sizes) ??',
        '(void sizeRefusal, null) ??',
      ),
    ],
  },
  {
    name: 'time limit',
    threats: ['T3'],
    patches: [patch('test/adversarial/arena.ts', 'const statementMs = 1_000', 'const statementMs = 12_000')],
  },
  {
    name: 'escaping in Slack',
    threats: ['T5', 'T8', 'T9'],
    patches: [
      patch(
        'src/slack/block-kit/text.ts',
        "text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')",
        'text',
      ),
    ],
  },
  {
    name: 'inert words of models',
    threats: ['T5', 'T8'],
    patches: [
      patch(
        'src/lib/inert-text.ts',
        'const plain = text\n',
        'if (text !== "") return text\n  const plain = text\n',
      ),
    ],
  },
  {
    name: 'escaping for programs',
    threats: ['T5'],
    patches: [
      patch('src/mcp/render.ts', "plainText(text).replaceAll(/[\\\\[\\]<]/g, '\\\\$&')", 'plainText(text)'),
    ],
  },
  {
    name: 'formulas in files',
    threats: ['T9'],
    patches: [patch('src/answering/export-csv.ts', 'escape_formulas: true', 'escape_formulas: false')],
  },
  {
    name: 'signature check',
    threats: ['T7'],
    patches: [
      patch(
        'src/slack/receivers.ts',
        'processBeforeResponse: true,\n    endpoints',
        'processBeforeResponse: true,\n    signatureVerification: false,\n    endpoints',
      ),
    ],
  },
  {
    name: 'each message once',
    threats: ['T7'],
    patches: [
      patch(
        'src/answering/receive-message.ts',
        '!(await deps.claimMessage(slackLocationKey(message.location), tx))',
        "(await deps.claimMessage(slackLocationKey(message.location) + ' ' + Math.random(), tx)) === null",
      ),
    ],
  },
  {
    name: 'rights of who clicks',
    threats: ['T6', 'T7'],
    patches: [
      patch(
        'src/answering/require-permission.ts',
        'const access = await deps.mayAsk(asker, deps.patience ? { patience: deps.patience } : {})',
        "const access = { status: 'allowed' as const, database: '' } as Access; void [deps, asker]",
      ),
    ],
  },
  {
    name: 'audience',
    threats: ['T6'],
    patches: [
      patch(
        'src/access/audience.ts',
        "if (id.startsWith('D') || !hasGroupsFor(settings.rights, database)) return everyone",
        'if (id !== "" || !hasGroupsFor(settings.rights, database)) return everyone',
      ),
    ],
  },
]
