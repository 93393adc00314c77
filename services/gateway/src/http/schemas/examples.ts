/** Values that examples of many fields show. */
export const uuid = '2a1fd2b6-6a55-4f0b-9d4e-5a3a1f6b7c8d';
export const hash = 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943';
export const instant = '2026-11-20T09:30:00.000Z';
