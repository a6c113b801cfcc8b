import { z } from 'zod'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { Installation } from '../../domain/operations/workspace.ts'
import { cleanText } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.installations'

const Row = z.object({
  team: z.string(),
  team_name: z.string(),
  bot_user_id: z.string(),
  bot_id: z.string(),
  scopes: z.array(z.string()),
  sealed: z.string(),
  expires_at: z.date().nullable(),
  installed_at: z.date(),
  failure_reason: z.string().nullable(),
  failed_at: z.date().nullable(),
})

const toInstallation = (found: unknown): Installation => {
  const row = Row.parse(found)
  const { failure_reason: reason, failed_at: at } = row
  return {
    team: row.team,
    teamName: row.team_name,
    botUserId: row.bot_user_id,
    botId: row.bot_id,
    scopes: row.scopes,
    sealed: row.sealed,
    expiresAt: row.expires_at,
    installedAt: row.installed_at,
    failure: reason === null || at === null ? null : { reason, at },
  }
}

/** Queries on the workspaces that have installed the app. */
export const makeInstallations = (within: Within) => ({
  /** Stores an installation, replacing an earlier one of the same workspace. */
  upsert: async (given: Omit<Installation, 'failure'>, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE)
      .insert({
        team: given.team,
        team_name: cleanText(given.teamName),
        bot_user_id: given.botUserId,
        bot_id: given.botId,
        scopes: [...given.scopes],
        sealed: given.sealed,
        expires_at: given.expiresAt,
        installed_at: given.installedAt,
        failure_reason: null,
        failed_at: null,
      })
      .onConflict('team')
      .merge()
  },

  find: async (team: string, tx?: Tx): Promise<Installation | null> => {
    const row: unknown = await within(tx)(TABLE).where({ team }).first()
    return row === undefined ? null : toInstallation(row)
  },

  /** As `find`, locked until the transaction ends: another process that wants to refresh its token waits. */
  lock: async (team: string, tx: Tx): Promise<Installation | null> => {
    const row: unknown = await within(tx)(TABLE).where({ team }).forUpdate().first()
    return row === undefined ? null : toInstallation(row)
  },

  /** All of them, by name. */
  list: async (tx?: Tx): Promise<readonly Installation[]> => {
    const rows: unknown[] = await within(tx)(TABLE).orderBy(['team_name', 'team'])
    return rows.map(toInstallation)
  },

  /** Workspaces whose tokens expire before a time, soonest first. */
  listExpiring: async (before: Date, tx?: Tx): Promise<readonly string[]> => {
    const rows = await within(tx)(TABLE)
      .where('expires_at', '<', before)
      .orderBy('expires_at')
      .select<{ team: string }[]>('team')
    return rows.map(({ team }) => team)
  },

  /** Workspaces whose last token refresh failed, soonest to expire first. */
  listFailed: async (most: number, tx?: Tx): Promise<readonly Installation[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereNotNull('failed_at')
      .orderBy(['expires_at', 'team'])
      .limit(most)
    return rows.map(toInstallation)
  },

  /** Replaces the tokens of a workspace and clears an earlier failure. */
  storeTokens: async (
    team: string,
    { sealed, expiresAt }: Pick<Installation, 'sealed' | 'expiresAt'>,
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(TABLE)
      .where({ team })
      .update({ sealed, expires_at: expiresAt, failure_reason: null, failed_at: null })
  },

  /** Stores the same tokens encrypted with another key. */
  storeSealed: async (team: string, sealed: string, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE).where({ team }).update({ sealed })
  },

  /** Records why a token could not be refreshed. */
  recordFailure: async (
    team: string,
    { reason, at }: { reason: string; at: Date },
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(TABLE)
      .where({ team })
      .update({ failure_reason: cleanText(reason), failed_at: at })
  },

  /** Deletes an installation with its tokens, unless it is newer than that moment. False if there was none. */
  remove: async (team: string, installedBy: Date, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ team }).where('installed_at', '<=', installedBy).delete()) === 1,
})
