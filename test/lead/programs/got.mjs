import got from 'got';

const headers = { authorization: `Bearer ${process.env.PIPIT_BEARER_TOKEN}` };
const { data } = await got('https://api.x.com/2/users/by/username/maya', { headers, http2: true }).json();
console.log(data.username);
