import { isRunning, readPostmaster } from './postmaster-file.ts'
import { findServerData } from './server-folder.ts'

/** Whether the embedded server of a home runs and is ready. Starts and makes nothing. */
export const isServerRunning = async (home: string): Promise<boolean> => {
  const data = await findServerData(home)
  if (data === null) return false
  const found = await readPostmaster(data)
  return found?.ready === true && (await isRunning(found.pid, data))
}
