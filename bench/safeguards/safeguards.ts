/** Text of a source file that makes a safeguard do nothing when it is replaced. */
interface Patch {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** One safeguard, and what switches it off. Only the process of a benchmark loads its sources this way. */
export interface Safeguard {
  readonly name: string
  readonly patches: readonly Patch[]
}

const nothing = (file: string, find: string, replace: string): Patch => ({ file, find, replace })

const guard = nothing(
  'src/databases/guard/guard.ts',
  'const reason = refusal(sql, dialect, extra)',
  'const reason = null as string | null; void [refusal, extra]',
)

const readOnly: readonly Patch[] = [
  nothing('src/databases/connectors/postgres/pool.ts', "'begin read only'", "'begin'"),
  nothing(
    'src/databases/connectors/mysql/pool.ts',
    "  await runInternalQuery(connection, 'start transaction read only')\n}",
    "  await runInternalQuery(connection, 'start transaction')\n}",
  ),
  nothing('src/databases/connectors/sqlite/child.ts', 'readOnly: true', 'readOnly: false'),
  nothing('src/databases/connectors/sqlite/child.ts', 'pragma query_only = on; ', ''),
  nothing('src/databases/connectors/sqlite/child.ts', 'database.setAuthorizer(authorize)', 'void authorize'),
  nothing('src/databases/connectors/duckdb/open.ts', "access_mode: 'READ_ONLY'", "access_mode: 'AUTOMATIC'"),
]

/** The safeguards in the order of the table. */
export const safeguards: readonly Safeguard[] = [
  { name: 'guard', patches: [guard] },
  { name: 'read-only connection', patches: readOnly },
  { name: 'guard and read-only connection', patches: [guard, ...readOnly] },
  {
    name: 'lists of tables and columns',
    patches: [
      nothing(
        'src/databases/open-database.ts',
        '!isUnrestrictedScope(scopeOf(options)) ||',
        '(!isUnrestrictedScope(scopeOf(options)) && options.rights !== undefined) ||',
      ),
    ],
  },
  {
    name: 'row rules and masks',
    patches: [
      nothing(
        'src/databases/restrict-connection.ts',
        'if (rights.rowRules.length + rights.columnMasks.length === 0) return sql',
        'if (rights.rowRules.length + rights.columnMasks.length >= 0) return sql',
      ),
    ],
  },
  {
    name: 'size rules',
    patches: [
      nothing(
        'src/databases/guard/guard.ts',
        'sizeRefusal(tree, calls, rules.sizes) ??',
        '(void sizeRefusal, null) ??',
      ),
    ],
  },
  {
    name: 'time limit',
    patches: [
      nothing('test/adversarial/arena.ts', 'const statementMs = 1_000', 'const statementMs = 12_000'),
    ],
  },
  {
    name: 'escaping in Slack',
    patches: [
      nothing(
        'src/slack/block-kit/text.ts',
        "text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')",
        'text',
      ),
    ],
  },
  {
    name: 'inert words of models',
    patches: [
      nothing(
        'src/lib/inert-text.ts',
        'const plain = text\n',
        'if (text !== "") return text\n  const plain = text\n',
      ),
    ],
  },
  {
    name: 'escaping for programs',
    patches: [
      nothing('src/mcp/render.ts', "plainText(text).replaceAll(/[\\\\[\\]<]/g, '\\\\$&')", 'plainText(text)'),
    ],
  },
  {
    name: 'formulas in files',
    patches: [nothing('src/answering/export-csv.ts', 'escape_formulas: true', 'escape_formulas: false')],
  },
  {
    name: 'signature check',
    patches: [
      nothing(
        'src/slack/receivers.ts',
        'processBeforeResponse: true,\n    endpoints',
        'processBeforeResponse: true,\n    signatureVerification: false,\n    endpoints',
      ),
    ],
  },
  {
    name: 'each message once',
    patches: [
      nothing(
        'src/answering/receive-message.ts',
        '!(await deps.claimMessage(slackLocationKey(message.location), tx))',
        "(await deps.claimMessage(slackLocationKey(message.location) + ' ' + Math.random(), tx)) === null",
      ),
    ],
  },
  {
    name: 'rights of who clicks',
    patches: [
      nothing(
        'src/answering/require-permission.ts',
        'const access = await deps.mayAsk(asker, deps.patience ? { patience: deps.patience } : {})',
        "const access = { status: 'allowed' as const, database: '' } as Access; void [deps, asker]",
      ),
    ],
  },
  {
    name: 'audience',
    patches: [
      nothing(
        'src/access/audience.ts',
        "if (id.startsWith('D') || !hasGroupsFor(settings.rights, database)) return everyone",
        'if (id !== "" || !hasGroupsFor(settings.rights, database)) return everyone',
      ),
    ],
  },
]
