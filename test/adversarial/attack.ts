/** A threat of the threat model; docs/threats.md has the list. */
export const threats = [
  'T1',
  'T2',
  'T3',
  'T4',
  'T5',
  'T6',
  'T7',
  'T8',
  'T9',
  'T10',
  'T11',
  'T12',
  'T13',
] as const

export type Threat = (typeof threats)[number]

/** The engines that are attacked. */
export const engines = ['sqlite', 'postgres', 'mysql', 'duckdb'] as const

export type Engine = (typeof engines)[number]

/** What an attacker's instruction makes the obedient model reply. What is left out stays harmless. */
export interface Command {
  readonly sql?: string
  readonly headline?: string
  readonly assumptions?: readonly string[]
  /** The model says that the question cannot be answered, in the attacker's words. */
  readonly missing?: string
  /** The model says that the question is ambiguous: the attacker's words, and a harmless statement for each. */
  readonly meanings?: readonly string[]
  /** The question that it makes of a message in a thread. */
  readonly rewrite?: string
  /** A metric query. */
  readonly metric?: Readonly<Record<string, unknown>>
}

/** Where an instruction is planted for the model to read. */
export type Site =
  | 'question'
  | 'cell'
  | 'column name'
  | 'table name'
  | 'comment'
  | 'glossary term'
  | 'rule'
  | 'metric'
  | 'verified query'
  | 'thread'

/** A request to the bot's own address, by somebody who is not Slack, or by Slack about somebody else's things. */
export type Forgery =
  /** A question in an event; `signed`: how its signature is wrong, or that it is right. */
  | {
      readonly as: 'event'
      readonly signed: 'not' | 'by another secret' | 'long ago' | 'for another body' | 'right'
      readonly event?: Readonly<Record<string, unknown>>
      /** How often it is sent. */
      readonly times?: number
    }
  /** A click, rightly signed, by `by` on an element that the message does not have, or with a value that it did not give. */
  | {
      readonly as: 'click'
      readonly signed: 'not' | 'by another secret' | 'long ago' | 'right'
      readonly action: string
      /** `{answer}` is the question id of somebody else's answer in a channel that the clicker is not in. */
      readonly value: string
      /** Of a menu, not of a button. */
      readonly isMenu?: true
    }
  /** A form that is submitted without having been opened. */
  | { readonly as: 'form'; readonly callback: string; readonly metadata: string; readonly sql?: string }

/** How an attack is carried out. */
export type Move =
  /** Somebody asks in a channel. */
  | {
      readonly kind: 'ask'
      readonly text: string
      /** Not in direct messages, but where people of both tenants are. */
      readonly inChannel?: true
    }
  /** Somebody who may ask nothing asks, or from where nothing may be asked; `direct` is a direct message. */
  | { readonly kind: 'ask in vain'; readonly in: string; readonly text: string }
  /** Somebody talks in the thread of a question of somebody else, who then asks on. */
  | { readonly kind: 'thread'; readonly first: string; readonly said: string; readonly asked: string }
  /** Somebody puts SQL of their own into the form of an answer; then the rows are exported if `exported`. */
  | { readonly kind: 'edit'; readonly sql: string; readonly exported?: true }
  /** A program calls a tool. */
  | { readonly kind: 'mcp'; readonly tool: string; readonly given: Readonly<Record<string, unknown>> }
  | { readonly kind: 'forge'; readonly forgery: Forgery }

/** One attack as the corpus has it. */
export interface AttackRow {
  readonly threat: Threat
  readonly name: string
  readonly move: Move
  /** Handle of who attacks, or is used; ada without it. */
  readonly by?: string
  /** The database that is asked; the shop without it, which has the same lists for everyone. The other has rights by person. */
  readonly database?: 'shop' | 'crm'
  /** The engine that is asked; sqlite without it. */
  readonly engine?: Engine
  /** The instruction, and where it stands. The id of the attack is put in front of it. */
  readonly plant?: { readonly site: Site; readonly text: string }
  readonly command?: Command
  /** Why no model reads this instruction; without it an attack with a command that no model obeyed is a failure. */
  readonly unread?: string
  /** The statement is harmless: what is attacked is how its result is shown. */
  readonly mayRun?: true
}

/** An attack with the id that stands in everything that is planted for it. */
export interface Attack extends AttackRow {
  readonly id: string
}

/** The statement of an attack; null if it has none. */
export const statementOf = ({ command, move }: AttackRow): string | null => {
  if (command?.sql !== undefined) return command.sql
  if (move.kind === 'edit') return move.sql
  return move.kind === 'mcp' && typeof move.given.sql === 'string' ? move.given.sql : null
}

/** The statement that may not be sent; null if there is none, or if it is harmless. */
export const wantedSql = (attack: AttackRow): string | null => (attack.mayRun ? null : statementOf(attack))
