/** Devices refresh with their page and not by notices: after a sign-out elsewhere, asking for them would only be refused. */
export const devicesKey = ['devices'];
