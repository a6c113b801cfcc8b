import { userInfo } from 'node:os'

/** Who is at the terminal, as the system knows them; null where it has no name for the user. */
export const currentPerson = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}
