import axios from 'axios';

const headers = { authorization: `Bearer ${process.env.PIPIT_BEARER_TOKEN}` };
const { data } = await axios.get('https://api.x.com/2/users/by/username/maya', { headers });
console.log(data.data.username);
