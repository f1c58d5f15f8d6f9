import ky from 'ky';

const headers = { authorization: `Bearer ${process.env.PIPIT_BEARER_TOKEN}` };
const { data } = await ky('https://api.x.com/2/users/by/username/maya', { headers }).json();
console.log(data.username);
