import { isRunning, readPostmaster } from './postmaster-file.ts'
import { makeServerFolder } from './server-folder.ts'

/** Whether the embedded server of a home runs and is ready. Starts nothing. */
export const isServerRunning = async (home: string): Promise<boolean> => {
  const { data } = await makeServerFolder(home)
  const found = await readPostmaster(data)
  return found?.ready === true && (await isRunning(found.pid, data))
}
