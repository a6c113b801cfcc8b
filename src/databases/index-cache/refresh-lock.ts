import { mkdir, open, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A lock that nobody has touched for so long was left behind by a process that died. */
const staleMs = 60_000

/** How often the holder says that it is still there. */
const touchMs = 15_000

/**
 * Takes the right to refresh an index among the processes that share its folder. Null when another process has it.
 * A folder that cannot be written has no lock to take: then everybody may. The result gives it back.
 */
export const acquireRefreshLock = async (
  indexFile: string,
  now: () => number = Date.now,
): Promise<(() => Promise<void>) | null> => {
  const path = `${indexFile}.lock`
  for (const attempt of [1, 2]) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await (await open(path, 'wx', 0o600)).close()
      return keepLockFresh(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return async () => {}
      if (attempt === 2 || now() - (await touchedAt(path)) < staleMs) return null
      await rm(path, { force: true })
    }
  }
  return null
}

const keepLockFresh = (path: string): (() => Promise<void>) => {
  const touching = setInterval(() => {
    const at = new Date()
    utimes(path, at, at).catch(() => {})
  }, touchMs)
  touching.unref()
  return async () => {
    clearInterval(touching)
    await rm(path, { force: true })
  }
}

const touchedAt = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).mtimeMs
  } catch {
    return 0
  }
}
