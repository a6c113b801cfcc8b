const withPassword = /^([a-z][a-z0-9+.-]*:\/\/[^:/@]*:)(.*)(@[^@]*)$/i

/** An address as it may be shown: dots where its password stands. */
export const hidePassword = (address: string): string => address.replace(withPassword, '$1•••$3')

/** Whether somebody wrote a password into an address. */
export const hasPassword = (address: string): boolean => /[^:]$/.test(withPassword.exec(address)?.[2] ?? '')

/** An address with another password, and another user where one is named. */
export const withLogin = (address: string, login: { user?: string; password: string }): string => {
  const url = new URL(address)
  if (login.user !== undefined) url.username = encodeURIComponent(login.user)
  url.password = encodeURIComponent(login.password)
  return url.href
}
